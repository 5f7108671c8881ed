"""The phone's screen: scene graph, painting, touch, hierarchy dumps."""

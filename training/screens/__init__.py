"""Screens with exact truth, made from real software: web component libraries, Linux applications, the virtual phone."""

"""Web pages that phrases are written on: npm packages that contain whole pages, and Debian's documentation packages.

None of them is used by a benchmark or belongs to a held-out component library.
"""

from __future__ import annotations

from typing import Final

from training.phrases.web_pictures import WebPage

PACKAGES: Final = (
    "startbootstrap-sb-admin-2@4.1.4",
    "startbootstrap-sb-admin@7.0.7",
    "startbootstrap-freelancer@7.0.7",
    "startbootstrap-clean-blog@6.0.9",
    "startbootstrap-agency@7.0.12",
    "startbootstrap-creative@7.0.7",
    "gentelella@1.4.0",
    "material-dashboard@3.1.0",
    "ckeditor4@4.22.1",
    "jquery-ui-dist@1.13.3",
    "svgedit@7.4.1",
)
_ADMIN, _DASH, _GENT, _CK = "startbootstrap-sb-admin-2", "startbootstrap-sb-admin", "gentelella", "ckeditor4"

DEBIAN: Final = ("debian-handbook",)  # packages that apt installs below /usr/share/doc

PAGES: Final = (
    WebPage("sbadmin2_index", _ADMIN, "index.html"),
    WebPage("sbadmin2_index_phone", _ADMIN, "index.html", "phone"),
    WebPage("sbadmin2_user_menu", _ADMIN, "index.html", "laptop", "#userDropdown"),
    WebPage("sbadmin2_messages", _ADMIN, "index.html", "laptop", "#messagesDropdown"),
    WebPage("sbadmin2_tables", _ADMIN, "tables.html"),
    WebPage("sbadmin2_buttons", _ADMIN, "buttons.html", "laptop"),
    WebPage("sbadmin2_login", _ADMIN, "login.html", "laptop"),
    WebPage("sbadmin2_register", _ADMIN, "register.html", "laptop"),
    WebPage("sbadmin_index", _DASH, "dist/index.html", "laptop"),
    WebPage("sbadmin_login_phone", _DASH, "dist/login.html", "phone"),
    WebPage("freelancer_top", "startbootstrap-freelancer", "dist/index.html", "laptop"),
    WebPage("freelancer_contact", "startbootstrap-freelancer", "dist/index.html", "laptop", scroll=2150),
    WebPage("blog_index", "startbootstrap-clean-blog", "dist/index.html", "laptop", scroll=300),
    WebPage("blog_contact_phone", "startbootstrap-clean-blog", "dist/contact.html", "phone", scroll=500),
    WebPage("agency_services", "startbootstrap-agency", "dist/index.html", "laptop", scroll=800),
    WebPage("agency_team", "startbootstrap-agency", "dist/index.html", "laptop", scroll=3600),
    WebPage("creative_services", "startbootstrap-creative", "dist/index.html", "laptop", scroll=1000),
    WebPage("gentelella_index", _GENT, "production/index.html"),
    WebPage("gentelella_inbox", _GENT, "production/inbox.html"),
    WebPage("gentelella_calendar", _GENT, "production/calendar.html"),
    WebPage("gentelella_form", _GENT, "production/form.html"),
    WebPage("gentelella_pricing", _GENT, "production/pricing_tables.html"),
    WebPage("gentelella_projects", _GENT, "production/projects.html"),
    WebPage("gentelella_elements", _GENT, "production/general_elements.html"),
    WebPage("material_sign_up", "material-dashboard", "pages/sign-up.html", "laptop"),
    WebPage("ckeditor_sample", _CK, "samples/index.html", "laptop", scroll=150),
    WebPage("ckeditor_emoji", _CK, "samples/old/emoji/emoji.html", "laptop"),
    WebPage("ckeditor_toolbar", _CK, "samples/toolbarconfigurator/index.html", "laptop"),
    WebPage("jquery_ui", "jquery-ui-dist", "index.html", "laptop"),
    WebPage("jquery_ui_lower", "jquery-ui-dist", "index.html", "laptop", scroll=700),
    WebPage("svgedit", "svgedit", "dist/editor/iife-index.html"),
    WebPage("gentelella_wizard", _GENT, "production/form_wizards.html"),
    WebPage("gentelella_contacts", _GENT, "production/contacts.html"),
    WebPage("gentelella_profile", _GENT, "production/profile.html"),
    WebPage("gentelella_login", _GENT, "production/login.html", "laptop"),
    WebPage("gentelella_gallery", _GENT, "production/media_gallery.html"),
    WebPage("gentelella_form_phone", _GENT, "production/form.html", "phone", scroll=200),
    WebPage("gentelella_widgets", _GENT, "production/widgets.html", scroll=250),
    WebPage("handbook_zh_tw", "debian-handbook", "html/zh-TW/index.html", "laptop", language="zh-TW"),
    WebPage("handbook_zh_tw_apt", "debian-handbook", "html/zh-TW/sect.apt-cache.html", "laptop", language="zh-TW"),
    WebPage("handbook_es", "debian-handbook", "html/es-ES/index.html", "laptop", language="es"),
    WebPage("handbook_pt_phone", "debian-handbook", "html/pt-BR/index.html", "phone", language="pt"),
    WebPage("handbook_ja", "debian-handbook", "html/ja-JP/index.html", "laptop", language="ja"),
    WebPage("handbook_fr", "debian-handbook", "html/fr-FR/index.html", "laptop", scroll=500, language="fr"),
)

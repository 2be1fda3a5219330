"""Widgets that paint views and tell what was chosen; no pane knows another one."""

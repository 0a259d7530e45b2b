"""What a notebook shows: the magic, the widget, and the wire between kernel and page."""

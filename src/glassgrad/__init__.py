"""glassgrad: a glass box around backpropagation."""

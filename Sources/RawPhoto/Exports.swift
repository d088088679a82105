// A program that takes photos also needs their file types.
@_exported public import DNG

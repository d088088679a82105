// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// Nothing, as a value of a dictionary.
public typealias CFNull = NSNull
/// An error, as Core Foundation names it.
public typealias CFError = NSError

/// Nothing, as a value of a dictionary: takes away what a picture's file says under a key.
public let kCFNull: CFNull? = NSNull()

// One import instead of AVFoundation, CoreMedia, CoreVideo and Photos, which bring Foundation and
// Dispatch with them.
@_exported public import AssetWriter
@_exported public import DNG
@_exported public import Dispatch
@_exported public import Foundation
@_exported public import MediaCore
@_exported public import MediaLibrary
@_exported public import QuickTime
@_exported public import RawDevelop
@_exported public import RawPhoto
@_exported public import VideoRecorder

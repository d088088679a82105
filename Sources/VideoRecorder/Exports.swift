// A program that imports VideoRecorder has the devices, and the reports of what was recorded.
@_exported public import CaptureDevices
@_exported public import TakeReports

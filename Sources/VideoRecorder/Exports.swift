// `import VideoRecorder` also brings the devices and the reports of recordings.
@_exported public import CaptureDevices
@_exported public import TakeReports

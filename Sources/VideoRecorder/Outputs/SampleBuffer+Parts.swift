package import MediaCore

extension SampleBuffer {
  /// A sample from its parts, under a name that no other module gives to a form of its own.
  package init(
    content: Content, presentationTimeStamp: MediaTime, duration: MediaTime, facts: Attachments
  ) {
    self.init(
      content, presentationTimeStamp: presentationTimeStamp, duration: duration,
      attachments: facts)
  }
}

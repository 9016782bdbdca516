package dev.hearth.spi.stream;

/** Metadata of a transfer: total size and tag of the content, and offset and length of the range that is sent. */
public record StreamInfo(long size, String tag, long offset, long length) {}

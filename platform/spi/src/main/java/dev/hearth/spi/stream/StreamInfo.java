package dev.hearth.spi.stream;

/** Metadata of a transfer: total size, tag, and the range that is sent. */
public record StreamInfo(long size, String tag, long offset, long length) {}

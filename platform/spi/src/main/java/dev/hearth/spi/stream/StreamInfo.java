package dev.hearth.spi.stream;

/** What is being sent: the size of the whole, the tag of its state, and the part that was asked for. */
public record StreamInfo(long size, String tag, long offset, long length) {}

package dev.hearth.yarn.internal.line;

/** End of a container, with YARN's exit status and diagnostics. Immutable. */
public record EndedContainer(String id, int exitStatus, String diagnostics) {}

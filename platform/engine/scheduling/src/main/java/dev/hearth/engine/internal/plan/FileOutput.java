package dev.hearth.engine.internal.plan;

/**
 * Target of a sink that saves files: the output directory, the name of the compression codec, and the id of the job
 * that writes. Immutable.
 */
public record FileOutput(String directory, String codec, String job) {}

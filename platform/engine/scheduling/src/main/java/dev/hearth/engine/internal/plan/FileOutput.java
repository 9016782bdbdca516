package dev.hearth.engine.internal.plan;

/**
 * Target of a sink that saves files: the directory, the name of the compression codec, and the id of the job that
 * writes the files. Immutable.
 */
public record FileOutput(String directory, String codec, String job) {}

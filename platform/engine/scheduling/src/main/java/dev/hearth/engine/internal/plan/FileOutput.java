package dev.hearth.engine.internal.plan;

/** Where tasks write files: the directory, how they are compressed, and which job's they are. */
public record FileOutput(String directory, String codec, String job) {}

package dev.hearth.engine.internal.plan;

/** Where tasks write files: the directory, how they are compressed, and which job's they are. */
public record FileOutput(String directory, String codec, String job) {
    /** Where no files are written. */
    public static final FileOutput NOWHERE = new FileOutput("", "", "");
}

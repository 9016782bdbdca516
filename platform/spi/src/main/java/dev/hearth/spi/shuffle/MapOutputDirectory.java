package dev.hearth.spi.shuffle;

import java.nio.file.Path;

/**
 * Directory of one application for map outputs that outlive their executors, below {@code root}. The worker owns it.
 * Executors write segments below {@link #files}, and link one index file per map output once its task has succeeded:
 * {@code index/SHUFFLE/MAP}. Immutable.
 */
public record MapOutputDirectory(Path root) {
    private static final String INDEX = "index";
    private static final String FILES = "files";

    /** Prefix of the names of index files that are not complete yet. */
    public static final String DRAFT = "draft-";

    public Path files() {
        return root.resolve(FILES);
    }

    public Path indexes() {
        return root.resolve(INDEX);
    }

    public Path indexes(int shuffle) {
        return indexes().resolve(String.valueOf(shuffle));
    }

    public Path index(int shuffle, int map) {
        return indexes(shuffle).resolve(String.valueOf(map));
    }
}

package dev.hearth.spi.packages;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Follows the resolution of packages. Calls arrive on several threads, one at a time, and must not block.
 */
@ConsumerType
public interface PackageListener {
    /** Receives a line about packages that the user should know about. */
    void warned(String line);

    /** Receives a line about a decision, such as the choice between two versions. */
    void noted(String line);

    /**
     * Receives the progress of downloads: {@code file} is being read and has {@code bytes} so far, {@code done} files
     * of {@code known} are complete.
     */
    void progressed(String file, long bytes, int done, int known);
}

package dev.hearth.spi.process;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Rule by which a {@link ProcessLauncher} prestarts processes: it starts a process before a child needs one, so that the
 * child begins at once. Prestarted processes wait in {@code directory}, which must be on the file system of the
 * children's work directories, for at most {@code timeout}. {@code scheme} is that of the masters whose drivers and
 * executors they become.
 */
public record Prestart(Path directory, Duration timeout, String scheme) {}

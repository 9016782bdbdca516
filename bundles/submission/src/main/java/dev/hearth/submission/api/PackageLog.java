package dev.hearth.submission.api;

import dev.hearth.spi.packages.PackageListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what happens to packages to the log of this process, except the progress of downloads. Stateless. */
final class PackageLog implements PackageListener {
    private static final Logger LOG = LoggerFactory.getLogger(PackageLog.class);

    @Override
    public void warned(String line) {
        LOG.warn(line);
    }

    @Override
    public void noted(String line) {
        LOG.info(line);
    }

    @Override
    public void progressed(String file, long bytes, int done, int known) {
        LOG.trace("package {}: {} bytes; {} of {} files", file, bytes, done, known);
    }
}

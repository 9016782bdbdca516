package dev.hearth.rpc.internal.connect;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Limit of open files of this process: how many are left, and how many of those connections may use. Stateless. */
final class DescriptorLimit {
    private static final Logger LOG = LoggerFactory.getLogger(DescriptorLimit.class);
    private static final long FILES_MIN = 64;
    private static final long FILES_PART = 8;

    private DescriptorLimit() {}

    /**
     * Returns the number of file descriptors that this process can still open; empty if the system does not report it.
     */
    static OptionalLong free() {
        try {
            return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                    ? OptionalLong.of(system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount())
                    : OptionalLong.empty();
        } catch (LinkageError without) {
            LOG.debug("limit of open files: not known without the module jdk.management", without);
            return OptionalLong.empty();
        }
    }

    /** Returns how many of {@code free} file descriptors connections may use; the rest is for files, such as jars. */
    static int connections(long free) {
        long files = Math.min(Math.max(FILES_MIN, free / FILES_PART), free / 2);
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, free - files));
    }
}

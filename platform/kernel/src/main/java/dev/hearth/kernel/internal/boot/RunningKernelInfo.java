package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.inventory.VersionText;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * Facts about this process, such as its role and version. Facts that are expensive to compute are computed on request.
 * Any thread may call; lives as long as the process.
 */
final class RunningKernelInfo implements KernelInfo {
    private final String role;
    private final Path home;
    private final Path temporary;
    private final Settings settings;
    private volatile boolean ending;
    private volatile long workFoundMillis; // wall-clock time; 0 until the role's service was found

    RunningKernelInfo(String role, Path home, Path temporary, Settings settings) {
        this.role = role;
        this.home = home;
        this.temporary = temporary;
        this.settings = settings;
    }

    /** Records the time at which the role's service was found. */
    void started() {
        workFoundMillis = System.currentTimeMillis();
    }

    /** Records that this process is ending. */
    void ending() {
        ending = true;
    }

    @Override
    public boolean isEnding() {
        return ending;
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public String version() {
        try {
            return VersionText.of(SystemPackages.version(RunningKernelInfo.class));
        } catch (IOException e) {
            throw ErrorCode.INTERNAL.failure("version: the kernel's manifest cannot be read: " + e, e);
        }
    }

    @Override
    public Path home() {
        return home;
    }

    @Override
    public Path temporary() {
        return temporary;
    }

    @Override
    public Instant startedAt() {
        return Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());
    }

    @Override
    public Duration startTook() {
        long found = workFoundMillis;
        return found == 0 ? Duration.ZERO : Duration.between(startedAt(), Instant.ofEpochMilli(found));
    }

    @Override
    public Settings settings() {
        return settings;
    }
}

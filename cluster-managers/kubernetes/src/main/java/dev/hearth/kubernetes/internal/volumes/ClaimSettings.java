package dev.hearth.kubernetes.internal.volumes;

import dev.hearth.kubernetes.internal.api.ServerVersion;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;

/**
 * Rules for claims on demand. {@code driverOwns}: the driver's pod owns the claims of executors, or the secret of a driver
 * outside; otherwise the pods of the executors do. Immutable.
 */
public record ClaimSettings(boolean driverOwns, boolean reuses, boolean waits, boolean legacyMode) {
    /** Settings of an application that sets none. */
    public static final ClaimSettings DEFAULTS = new ClaimSettings(true, true, false, false);

    private static final String PREFIX = "hearth.kubernetes.";
    private static final String SINGLE_POD = "ReadWriteOncePod";
    private static final String SINGLE_NODE = "ReadWriteOnce";
    private static final int SINGLE_POD_MINOR = 29;

    private static final SettingKey<Boolean> OWNS = SettingKey.flag(
            PREFIX + "driver.ownPersistentVolumeClaim",
            true,
            "Whether claims on demand of executors live as long as the driver; otherwise as long as their executor's pod.");
    private static final SettingKey<Boolean> REUSES = SettingKey.flag(
            PREFIX + "driver.reusePersistentVolumeClaim",
            true,
            "Whether a new executor gets the claims of one whose pod is gone; the driver has to own them for that.");
    private static final SettingKey<Boolean> WAITS = SettingKey.flag(
            PREFIX + "driver.waitToReusePersistentVolumeClaim",
            false,
            "Whether executors wait for the claims of others that end, once there are as many claims as executors wanted.");
    private static final SettingKey<Boolean> LEGACY_MODE = SettingKey.flag(
            PREFIX + "legacy.useReadWriteOnceAccessMode",
            false,
            "Whether claims on demand have the access mode ReadWriteOnce on servers that know ReadWriteOncePod, too.");

    /** The declared settings. */
    public static final List<SettingKey<?>> KEYS = List.of(OWNS, REUSES, WAITS, LEGACY_MODE);

    /** Reads the settings; {@code in} records the problems. {@code deletesPods} says whether pods that ended are deleted. */
    public static ClaimSettings read(SettingsReader in, boolean deletesPods) {
        ClaimSettings read = new ClaimSettings(in.read(OWNS), in.read(REUSES), in.read(WAITS), in.read(LEGACY_MODE));
        in.expect(
                !read.waits() || (read.driverOwns() && read.reuses()),
                WAITS,
                "false, or " + OWNS + " and " + REUSES + " as true");
        in.expect(
                !read.waits() || deletesPods,
                WAITS,
                "false, or hearth.kubernetes.executor.deleteOnTermination=true, as pods that stay keep their claims");
        return read;
    }

    /** The access mode of claims on a server of {@code version}: older ones do not know that of a single pod. */
    public String mode(ServerVersion version) {
        return !legacyMode && version.isAtLeast(1, SINGLE_POD_MINOR) ? SINGLE_POD : SINGLE_NODE;
    }
}

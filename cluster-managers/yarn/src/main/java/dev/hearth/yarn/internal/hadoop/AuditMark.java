package dev.hearth.yarn.internal.hadoop;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.settings.AuditSettings;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.CallerContext;

/**
 * Mark of the calls of one thread in the audit logs of YARN and HDFS, such as {@code HEARTH_CLIENT_application_1_0001_nightly}, at
 * clusters that take such marks. The words of the user are carried by Hadoop's configuration. Stateless.
 */
public final class AuditMark {
    /** Process that makes the calls. */
    public enum Caller {
        CLIENT,
        APPMASTER
    }

    private static final String ENABLED = "hadoop.caller.context.enabled";
    private static final String PREFIX = "HEARTH_";

    private AuditMark() {}

    /** Keeps the words of {@code settings} in {@code configuration}. */
    public static void keep(Settings settings, Configuration configuration) {
        SettingsReader in = new SettingsReader(settings);
        AuditSettings audit = AuditSettings.read(in);
        in.finish();
        audit.caller().ifPresent(words -> configuration.set(AuditSettings.CALLER.name(), words, "Hearth"));
    }

    /** Marks the calls of this thread for {@code application}, in its {@code attempt}, until {@link #clear}. */
    public static void set(Configuration configuration, Caller caller, String application, Optional<Integer> attempt) {
        if (configuration.getBoolean(ENABLED, false)) {
            String words = configuration.get(AuditSettings.CALLER.name(), "");
            CallerContext.setCurrent(new CallerContext.Builder(PREFIX + caller + "_" + application
                            + attempt.map(number -> "_" + number).orElse("") + (words.isEmpty() ? "" : "_" + words))
                    .build());
        }
    }

    /** Marks the calls of this thread no more. */
    public static void clear() {
        CallerContext.setCurrent(null);
    }
}

package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.RoleArguments;
import dev.hearth.spi.role.RoleOptionTable;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Command line of a daemon. Options such as {@code --port 7077} become settings; the remaining arguments keep their
 * order. Which options there are stands in {@link RoleOptionTable#FILE}.
 */
record DaemonArguments(Settings settings, List<String> rest, List<String> warnings) {
    private static final RoleOptionTable OPTIONS = RoleOptionTable.of(DaemonArguments.class);

    /** Parses the options that the table declares for {@code role}; each one sets its setting. */
    static DaemonArguments parse(String role, List<String> arguments, Settings installation) {
        RoleArguments parsed = RoleArguments.parse(role, OPTIONS.options(role), arguments);
        SettingsSources sources = new SettingsSources(Path.of(""), System.getenv());
        Map<String, String> first = new LinkedHashMap<>();
        for (RoleArguments.Given given : parsed.options()) {
            String key = given.option().setting();
            String other = first.putIfAbsent(key, given.option().name());
            if (other != null && !other.equals(given.option().name())) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": " + other + " and "
                        + given.option().name() + " (expected: one of them, as both set " + key + ")");
            }
            sources.flag(given.option().name(), key, given.value());
        }
        return new DaemonArguments(sources.over(installation), parsed.operands(), parsed.warnings());
    }
}

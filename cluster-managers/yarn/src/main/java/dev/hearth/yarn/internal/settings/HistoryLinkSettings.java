package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;

/** Link from YARN's pages to the history of an application. Immutable. */
public record HistoryLinkSettings(Optional<String> address, boolean tracks) {
    private static final SettingKey<String> ADDRESS = SettingKey.text(
                    YarnKeys.PREFIX + "historyServer.address",
                    "",
                    "Address of the history server, host:port or a URL, to which YARN's pages link once the application"
                            + " has ended; ${hadoopconf-NAME} stands for a setting of Hadoop.")
            .withoutDefault("no link");
    private static final SettingKey<Boolean> TRACKS = SettingKey.flag(
            YarnKeys.PREFIX + "historyServer.allowTracking",
            false,
            "Whether YARN's pages link to the history server while the application runs, if it has no pages.");

    public static final List<SettingKey<?>> KEYS = List.of(ADDRESS, TRACKS);

    /** Reads the settings; {@code in} records the problems. */
    public static HistoryLinkSettings read(SettingsReader in) {
        return new HistoryLinkSettings(YarnKeys.unlessBlank(in.find(ADDRESS)), in.read(TRACKS));
    }
}

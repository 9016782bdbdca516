package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * History server to which ended applications lead: its {@code address}, and whether it is the tracking URL from the beginning
 * if an application has no pages of its own. Immutable.
 */
public record HistorySettings(Optional<String> address, boolean tracksWithoutPages) {
    private static final SettingKey<String> ADDRESS = YarnKeys.text(
            "historyServer.address",
            "Address of a history server, without a path, to which the ResourceManager leads once an application has ended;"
                    + " ${hadoopconf-KEY} stands for the value of a key of Hadoop.");
    private static final SettingKey<Boolean> ALLOW_TRACKING = SettingKey.flag(
            YarnKeys.PREFIX + "historyServer.allowTracking",
            false,
            "Whether applications with hearth.ui.enabled=false lead to the history server while they run, too.");

    public static final List<SettingKey<?>> KEYS = List.of(ADDRESS, ALLOW_TRACKING);

    private static final Pattern OF_HADOOP = Pattern.compile("\\$\\{hadoopconf-([^}$\\s]+)}");
    private static final Pattern WITH_SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://.*");

    /** Reads the settings; {@code in} records the problems. */
    public static HistorySettings read(SettingsReader in) {
        return new HistorySettings(YarnKeys.unlessBlank(in.find(ADDRESS)), in.read(ALLOW_TRACKING));
    }

    /**
     * The page of {@code application} on the history server, in its {@code attempt}, if it has attempts; empty without a
     * server. {@code hadoop} knows the values of Hadoop's keys; an unknown one stays as it is.
     */
    public String link(Function<String, Optional<String>> hadoop, String application, Optional<String> attempt) {
        return address.map(text -> {
                    String known = OF_HADOOP
                            .matcher(text)
                            .replaceAll(found -> Matcher.quoteReplacement(
                                    hadoop.apply(found.group(1)).orElse(found.group())));
                    String base = known.endsWith("/") ? known.substring(0, known.length() - 1) : known;
                    return (WITH_SCHEME.matcher(base).matches() ? "" : "http://")
                            + base
                            + "/history/"
                            + application
                            + attempt.map(number -> "/" + number).orElse("");
                })
                .orElse("");
    }
}

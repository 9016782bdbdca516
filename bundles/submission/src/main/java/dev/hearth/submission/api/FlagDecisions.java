package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.FlagRule;
import dev.hearth.spi.cluster.FlagRule.Merge;
import dev.hearth.spi.cluster.SubmissionRuleTable;
import dev.hearth.spi.cluster.SubmissionRules.Refusal;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.submission.api.CommandLine.GivenFlag;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides which settings the flags of a command line set. The rules of the chosen cluster come first, then those for all
 * clusters. A flag that only other clusters know has no effect but a warning. Used once, by one thread.
 */
final class FlagDecisions {
    private static final String GENERAL = SubmissionRuleTable.GENERAL;
    private static final String SUPERVISE = "--supervise";
    private static final String SUPERVISE_SETTING = ApplicationSettings.DRIVER_SUPERVISE.name();

    private final KnownFlags known;
    private final String scheme;
    private final Optional<DeployMode> mode;
    private final Path directory;
    private final Consumer<String> warning;
    private final List<FlagSetting> settings = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private boolean general = true;

    /**
     * {@code mode} is the deploy mode of an application; empty for questions about submissions. Relative paths belong to
     * {@code directory}. {@code warning} receives one line for each flag without effect.
     */
    FlagDecisions(
            KnownFlags known, String scheme, Optional<DeployMode> mode, Path directory, Consumer<String> warning) {
        this.known = known;
        this.scheme = scheme;
        this.mode = mode;
        this.directory = directory;
        this.warning = warning;
        known.choose(scheme);
    }

    /** Setting that the flag {@code flag} sets. */
    record FlagSetting(String flag, String key, String value) {}

    /** Returns the settings of flags that hold for all clusters, before a cluster is chosen. */
    static List<FlagSetting> general(CommandLine line, KnownFlags known) {
        List<FlagSetting> settings = new ArrayList<>();
        for (GivenFlag given : line.flags()) {
            Optional<FlagRule> rule = known.flag(GENERAL, given.name());
            if (rule.isPresent() && !rule.get().setting().isEmpty()) {
                settings.add(new FlagSetting(given.name(), rule.get().setting(), given.value()));
            }
        }
        return settings;
    }

    /**
     * Returns the settings of all flags on {@code line}. {@code before} are the settings without them. Fails with the
     * words of the cluster if it refuses a flag.
     */
    List<FlagSetting> decide(CommandLine line, Settings before) {
        Set<String> names = new LinkedHashSet<>();
        for (GivenFlag given : line.flags()) { // loops here: bin/submit runs this at each start
            names.add(given.name());
        }
        if (mode.isPresent() && !names.contains(SUPERVISE) && isSupervised(before)) {
            names.add(SUPERVISE); // the setting means what the flag does: it must not be without effect in silence
            known.table(); // reads the rules of all clusters
        }
        for (String name : names) {
            decide(name, line, before);
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(String.join("\n  ", problems));
        }
        return settings;
    }

    private static boolean isGiven(String name, CommandLine line) {
        for (GivenFlag given : line.flags()) {
            if (given.name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isSupervised(Settings before) {
        return before.find(SUPERVISE_SETTING).filter("true"::equalsIgnoreCase).isPresent();
    }

    /** Whether only rules for all clusters have decided, so that the settings are those of {@link #general}. */
    boolean isGeneral() {
        return general;
    }

    private void decide(String name, CommandLine line, Settings before) {
        Optional<FlagRule> own = known.flag(scheme, name);
        Optional<FlagRule> common = known.flag(GENERAL, name);
        Optional<Refusal> refusal = known.refusal(scheme, name);
        if (own.isPresent()) {
            general = false;
            apply(own.get(), line, before, true);
        } else if (refusal.isPresent()) {
            throw refused(refusal.get());
        } else if (common.isPresent()) {
            apply(common.get(), line, before, false);
        } else {
            Set<String> others = known.table().schemesOf(name);
            Optional<Refusal> everywhere = known.refusal(GENERAL, name);
            if (others.isEmpty() && everywhere.isPresent()) {
                throw refused(everywhere.get());
            }
            String where = others.isEmpty() ? "a flag that --help lists" : "a master of " + others;
            boolean isFlag = isGiven(name, line);
            warning.accept((isFlag ? name : SUPERVISE_SETTING) + ": no effect on master " + scheme + " (expected: "
                    + where + "); the " + (isFlag ? "flag" : "setting") + " is ignored");
        }
    }

    private static HearthException refused(Refusal refusal) {
        return ErrorCode.BAD_ARGUMENT.failure(refusal.flag() + ": " + refusal.words());
    }

    private void apply(FlagRule rule, CommandLine line, Settings before, boolean ofCluster) {
        if (mode.isPresent() && !rule.modes().contains(mode.get())) {
            warning.accept((isGiven(rule.name(), line) ? rule.name() : SUPERVISE_SETTING) + ": no effect in "
                    + mode.get().name().toLowerCase(Locale.ROOT)
                    + " mode (expected: --deploy-mode "
                    + rule.modes().iterator().next().name().toLowerCase(Locale.ROOT) + ")");
        }
        if (rule.setting().isEmpty()) { // a flag of this front end
            return;
        }
        List<String> values = new ArrayList<>();
        for (GivenFlag given : line.flags()) {
            if (given.name().equals(rule.name())) {
                values.add(ofCluster ? checked(rule, given.value()) : given.value());
            }
        }
        if (values.isEmpty()) { // a setting stands for the flag
            return;
        }
        String value = values.get(values.size() - 1);
        if (rule.merge() == Merge.APPEND) {
            general = false; // the settings without the flags count too
            before.find(rule.setting()).filter(text -> !text.isBlank()).ifPresent(text -> values.add(0, text));
            value = String.join(",", values);
        }
        settings.add(new FlagSetting(rule.name(), rule.setting(), value));
    }

    /** Returns the value of a cluster's flag, with absolute paths; records a problem if it is not of the rule's kind. */
    private String checked(FlagRule rule, String value) {
        return switch (rule.kind()) {
            case TEXT, SWITCH -> value;
            case NUMBER ->
                read(SettingKey.integer(rule.setting(), 1, 1, Integer.MAX_VALUE, rule.meaning()), rule, value);
            case SIZE ->
                read(SettingKey.mebibytes(rule.setting(), 1, 1, Integer.MAX_VALUE, rule.meaning()), rule, value);
            case FILES -> absolute(value);
        };
    }

    private String read(SettingKey<?> key, FlagRule rule, String value) {
        Settings alone = Settings.empty().with(rule.name(), Map.of(rule.setting(), value));
        SettingsReader in = new SettingsReader(alone);
        in.read(key);
        try {
            in.finish();
        } catch (HearthException bad) {
            problems.add(String.valueOf(bad.getMessage()));
        }
        return value;
    }

    private String absolute(String value) {
        List<String> paths = new ArrayList<>();
        for (String word : value.split(",", -1)) {
            String path = word.strip();
            boolean isUri = path.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
            paths.add(
                    isUri || path.isEmpty()
                            ? path
                            : directory.resolve(path).normalize().toString());
        }
        return String.join(",", paths);
    }
}

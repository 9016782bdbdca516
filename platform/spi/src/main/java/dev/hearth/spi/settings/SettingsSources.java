package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts settings together from where they are given, by rank: flags, {@code --conf}, later properties files, earlier ones,
 * the installation's defaults, the environment. In what order they are named here does not matter, but for properties
 * files. Their values may refer to the environment and to each other. Used once, by one thread.
 */
public final class SettingsSources {
    private static final String PROPERTIES_FILE = "--properties-file";

    private final Path directory;
    private final Map<String, String> environment;
    private final List<SourceEntry> variables = new ArrayList<>();
    private final List<SourceEntry> defaults = new ArrayList<>();
    private final List<List<SourceEntry>> files = new ArrayList<>();
    private final List<SourceEntry> conf = new ArrayList<>();
    private final List<SourceEntry> flags = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> ignored = new ArrayList<>();

    /** Files are looked up from {@code directory}. */
    public SettingsSources(Path directory, Map<String, String> environment) {
        this.directory = directory;
        this.environment = Map.copyOf(environment);
    }

    /** Takes what the environment says: {@code HEARTH_MASTER} and the like. */
    public SettingsSources environment() {
        variables.addAll(EnvironmentVariables.given(environment));
        return this;
    }

    /** The variables of the environment that give settings: the key of each. */
    public static Map<String, String> variables() {
        Map<String, String> variables = new LinkedHashMap<>();
        for (EnvironmentVariables variable : EnvironmentVariables.values()) {
            variables.put(variable.ours(), variable.key());
            if (!variable.fields().isEmpty()) {
                variables.put(variable.fields(), variable.key());
            }
        }
        return variables;
    }

    /** Takes the defaults of an installation, if it has such a file; {@code label} names it for people. */
    public SettingsSources defaults(Path file, String label) {
        if (Files.exists(file)) { // it is optional; the distribution ships a template only
            take(SettingsFile.read(file, label), defaults);
        }
        return this;
    }

    /** Takes a properties file, ranking above those before it; it must be there. */
    public SettingsSources propertiesFile(String text) {
        Path file = directory.resolve(text).toAbsolutePath().normalize();
        if (!Files.exists(file) || Files.isDirectory(file)) {
            throw ErrorCode.PATH_MISSING.failure(PROPERTIES_FILE + ": '" + text
                    + "': no such file (expected: a file of settings); looked for " + file);
        }
        List<SourceEntry> given = new ArrayList<>();
        take(SettingsFile.read(file, text), given);
        files.add(given);
        return this;
    }

    /** Takes one {@code key=value} of a command line; {@code flag} is how it was given. */
    public SettingsSources conf(String flag, String text) {
        int equals = text.indexOf('=');
        if (equals < 1 || text.substring(0, equals).isBlank()) {
            throw ErrorCode.BAD_ARGUMENT.failure(flag + ": '" + Secrets.shown(text, text)
                    + "' (expected: key=value, for example hearth.executor.memory=2g)");
        }
        take(text.substring(0, equals).strip(), text.substring(equals + 1).strip(), "--conf", conf);
        return this;
    }

    /** Takes a setting that has a flag of its own. */
    public SettingsSources flag(String flag, String key, String value) {
        take(key, value, flag, flags);
        return this;
    }

    /** All that was taken, above {@code lower}; fails with {@code BAD_SETTING} when files hold lines that are none. */
    public Settings over(Settings lower) {
        if (!problems.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(String.join("\n  ", problems));
        }
        Settings settings = lower.with(variables).with(defaults);
        for (List<SourceEntry> file : files) {
            settings = settings.with(file);
        }
        return settings.with(conf).with(flags);
    }

    /** A line for each key that was left out, as it is neither ours nor the field's. */
    public List<String> ignored() {
        return List.copyOf(ignored);
    }

    private void take(SettingsFile file, List<SourceEntry> source) {
        problems.addAll(file.problems());
        file.lines().forEach(line -> take(line.key(), line.value(), line.origin(), source));
    }

    private void take(String key, String value, String origin, List<SourceEntry> source) {
        if (key.startsWith(Settings.PREFIX) || key.startsWith(Settings.ALIAS_PREFIX)) {
            source.add(new SourceEntry(key, ValueTemplate.parse(value, this::variable), origin));
        } else {
            ignored.add("setting " + key + ": ignored (expected: a key that begins with hearth.); from " + origin);
        }
    }

    private Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }
}

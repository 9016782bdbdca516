package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code conf/hearth-defaults.conf}: lines {@code key value} or {@code key=value} in UTF-8, comments after #. */
final class DefaultSettings {
    private static final Pattern LINE = Pattern.compile("([^\\s=]+)(?:\\s*=\\s*|\\s+)(.*)");
    private static final String FOREIGN_PREFIX = "spark.";

    private DefaultSettings() {}

    /** The settings of the file, each with its line as origin; none when there is no such file. */
    static Settings read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException none) {
            return Settings.empty(); // the file is optional; the distribution ships a template only
        } catch (IOException e) {
            throw ErrorCode.BAD_SETTING.failure(file + ": " + e + " (expected: a readable file in UTF-8)", e);
        }
        return parse(lines, file.getParent().getFileName() + "/" + file.getFileName());
    }

    static Settings parse(List<String> lines, String file) {
        List<Entry> entries = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            String origin = file + " line " + (i + 1);
            Matcher matcher = LINE.matcher(line);
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (matcher.matches()) {
                entries.add(new Entry(origin, matcher.group(1), matcher.group(2).strip()));
            } else {
                problems.add(origin + ": '" + line + "' (expected: a key and its value, as in hearth.master local[2])");
            }
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.BAD_SETTING.failure(String.join("\n  ", problems));
        }
        // Within one source a key of ours beats its alias wherever it stands, so the aliases go first.
        Settings settings = Settings.empty();
        for (boolean alias : new boolean[] {true, false}) {
            for (Entry entry : entries) {
                if (entry.key.startsWith(FOREIGN_PREFIX) == alias) {
                    settings = settings.with(entry.origin, entry.key, entry.value);
                }
            }
        }
        return settings;
    }

    private record Entry(String origin, String key, String value) {}
}

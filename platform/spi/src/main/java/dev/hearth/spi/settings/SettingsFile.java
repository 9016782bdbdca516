package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Settings file: lines {@code key value}, {@code key=value} or {@code key: value} in UTF-8; comments begin with #. */
record SettingsFile(List<Line> lines, List<String> problems) {
    private static final int BYTES_MAX = 4 * 1024 * 1024;
    private static final Pattern LINE = Pattern.compile("([^\\s=:]+)(?:\\s*[=:]\\s*|\\s+|$)(.*)");
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    /** Key and value of one line, with the file and line number as their origin. */
    record Line(String key, String value, String origin) {}

    /**
     * Reads the settings file {@code file}. {@code label} names the file in messages and in the origins of its
     * settings.
     */
    static SettingsFile read(Path file, String label) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw ErrorCode.BAD_SETTING.failure(
                        label + ": more than " + BYTES_MAX + " bytes (expected: a file of settings)");
            }
            return parse(
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString(),
                    label);
        } catch (CharacterCodingException foreign) {
            throw ErrorCode.BAD_SETTING.failure(
                    label + ": not in UTF-8 (expected: a file of settings in UTF-8); save the file in UTF-8:" + " "
                            + file,
                    foreign);
        } catch (IOException unreadable) {
            throw ErrorCode.BAD_SETTING.failure(
                    label + ": cannot be read: " + unreadable + " (expected: a readable file of settings)", unreadable);
        }
    }

    static SettingsFile parse(String text, String label) {
        List<Line> lines = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        String[] written = (text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text).split("\\R", -1);
        for (int i = 0; i < written.length; i++) {
            String line = written[i].strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String origin = label + " line " + (i + 1);
            Matcher matcher = LINE.matcher(line);
            boolean parted = matcher.matches() && matcher.end(1) < line.length();
            if (!parted) {
                problems.add(problem(origin, line, "a key and its value, as in hearth.master local[2]"));
            } else if (line.endsWith("\\")) {
                problems.add(problem(origin, line, "all of a value in one line"));
            } else {
                lines.add(new Line(matcher.group(1), matcher.group(2).strip(), origin));
            }
        }
        return new SettingsFile(lines, problems);
    }

    /** Describes {@code line}, which breaks {@code rule}; a line that contains a secret is hidden. */
    private static String problem(String origin, String line, String rule) {
        return origin + ": '" + Secrets.shown(line, line) + "' (expected: " + rule + ")";
    }
}

package dev.hearth.spi.packages;

import dev.hearth.spi.error.ErrorCode;
import java.util.List;

/**
 * Coordinate of a package: {@code group:name:version}, {@code group:name:type:version} or {@code
 * group:name:type:classifier:version}; a slash may stand for a colon. The type of the short forms is {@code jar}, and
 * the classifier is empty. Immutable.
 */
public record PackageCoordinate(String group, String name, String type, String classifier, String version) {
    private static final String JAR = "jar";
    private static final int PARTS_MIN = 3;
    private static final int PARTS_MAX = 5;

    /** Parses a coordinate. Fails with {@code BAD_ARGUMENT}; the message contains Spark's words for it. */
    public static PackageCoordinate parse(String text) {
        List<String> parts = List.of(text.strip().replace('/', ':').split(":", -1));
        boolean isComplete = parts.size() >= PARTS_MIN && parts.size() <= PARTS_MAX;
        if (!isComplete || parts.stream().anyMatch(part -> !isPart(part))) {
            // programs look for these words of Spark
            throw ErrorCode.BAD_ARGUMENT.failure("Provided Maven Coordinates must be in the form"
                    + " 'groupId:artifactId:version'. The coordinate provided is: " + text
                    + " (expected: for example com.google.guava:guava:33.0.0-jre)");
        }
        String type = parts.size() > PARTS_MIN ? parts.get(2) : JAR;
        String classifier = parts.size() == PARTS_MAX ? parts.get(PARTS_MIN) : "";
        return new PackageCoordinate(parts.get(0), parts.get(1), type, classifier, parts.get(parts.size() - 1));
    }

    /** Whether {@code part} may be a part of a path and of a line. */
    private static boolean isPart(String part) {
        return !part.isBlank()
                && !part.contains("..")
                && part.chars().noneMatch(c -> Character.isWhitespace(c) || Character.isISOControl(c) || c == '\\');
    }

    /** The shortest form of the coordinate. */
    @Override
    public String toString() {
        String middle = classifier.isEmpty() ? "" : ":" + type + ":" + classifier;
        return group + ":" + name + (middle.isEmpty() && !type.equals(JAR) ? ":" + type : middle) + ":" + version;
    }
}

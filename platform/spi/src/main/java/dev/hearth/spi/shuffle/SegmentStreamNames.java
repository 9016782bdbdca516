package dev.hearth.spi.shuffle;

import dev.hearth.spi.shuffle.SegmentProtocol.SegmentLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of streams that carry segments for one reducer. A name has the form {@code shuffle/reducer/maps}, where each
 * map task is listed in base 36 as its difference from the previous one. Stateless.
 */
public final class SegmentStreamNames {
    /** Maximum length of the list of map tasks in a name. A whole stream name has at most 1,024 characters. */
    private static final int MAPS_CHARS_MAX = 900;

    private static final int RADIX = 36;
    private static final Pattern NAME = Pattern.compile("(\\d{1,9})/(\\d{1,9})/([0-9a-z]{1,6}(?:-[0-9a-z]{1,6})*)");
    private static final Pattern BETWEEN = Pattern.compile("-");
    private static final long SPREAD = 0x9E3779B97F4A7C15L; // odd constant with evenly distributed bits, for hashing

    /**
     * Segments that a reader requests by the name of a stream: those of one reducer from the map tasks {@code maps} of
     * a shuffle.
     */
    public record Wanted(int shuffle, int reducer, List<Integer> maps) {}

    private SegmentStreamNames() {}

    /** Returns the name of the stream with {@code parts}, in the order of their map tasks. */
    public static String name(int shuffle, int reducer, List<SegmentLocation> parts) {
        StringBuilder name =
                new StringBuilder().append(shuffle).append('/').append(reducer).append('/');
        String between = "";
        int before = 0;
        for (SegmentLocation part : parts) {
            name.append(between).append(Integer.toString(part.map() - before, RADIX));
            between = "-";
            before = part.map();
        }
        return name.toString();
    }

    /** Whether the map task {@code map} still fits into the name of a stream for the segments {@code parts}. */
    public static boolean takesMore(List<SegmentLocation> parts, int map) {
        int chars = 0;
        int before = 0;
        for (SegmentLocation part : parts) {
            chars += length(part.map() - before);
            before = part.map();
        }
        return chars + length(map - before) <= MAPS_CHARS_MAX;
    }

    private static int length(int distance) {
        return Integer.toString(distance, RADIX).length() + 1;
    }

    /** Returns the segments that {@code name} lists; empty if it is malformed. */
    public static Optional<Wanted> read(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<Integer> maps = new ArrayList<>();
        long map = 0;
        for (String distance : BETWEEN.split(matcher.group(3), -1)) {
            map += Long.parseLong(distance, RADIX);
            if (map > Integer.MAX_VALUE) {
                return Optional.empty();
            }
            maps.add((int) map);
        }
        return Optional.of(
                new Wanted(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), List.copyOf(maps)));
    }

    /**
     * Returns a fingerprint of the files that contain the segments. If reader and server compute different
     * fingerprints, a file has changed.
     */
    public static String tag(List<FileSegment> places) {
        long tag = places.size();
        for (FileSegment place : places) {
            tag = Long.rotateLeft((tag ^ place.id()) * SPREAD, Integer.SIZE) ^ place.bytes();
        }
        return Long.toHexString(tag);
    }
}

package dev.hearth.kubernetes.internal.volumes;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of volumes as Kubernetes writes them, such as {@code 10Gi}. Pure. */
public final class VolumeSize {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)([KMGTPE]i|[kMGTPE]?)");
    private static final int THOUSAND = 1000;
    private static final int KIBI = 1024;
    private static final Map<Character, Integer> POWERS =
            Map.of('k', 1, 'K', 1, 'M', 2, 'G', 3, 'T', 4, 'P', 5, 'E', 6);

    private VolumeSize() {}

    /** Number of bytes; empty if {@code text} is no size. */
    public static Optional<BigDecimal> bytes(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        String unit = parts.group(2);
        if (unit.isEmpty()) {
            return Optional.of(number);
        }
        int power = POWERS.getOrDefault(unit.charAt(0), 0);
        return Optional.of(number.multiply(
                BigDecimal.valueOf(unit.endsWith("i") ? KIBI : THOUSAND).pow(power)));
    }

    /** Whether a volume of {@code size} has room for {@code wanted}; false if either is no size. */
    static boolean isEnough(String size, String wanted) {
        Optional<BigDecimal> has = bytes(size);
        return has.isPresent()
                && bytes(wanted)
                        .filter(least -> has.get().compareTo(least) >= 0)
                        .isPresent();
    }
}

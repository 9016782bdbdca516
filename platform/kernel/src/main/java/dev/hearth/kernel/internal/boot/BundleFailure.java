package dev.hearth.kernel.internal.boot;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.osgi.framework.BundleException;

/**
 * Reason why a bundle did not start, as short text for people. The OSGi framework's own message repeats each cause
 * several times.
 */
record BundleFailure(String bundle, String reason) {
    /**
     * Pattern of Felix's text for a missing requirement. If a message contains several matches, the last one is the
     * root cause.
     */
    private static final Pattern MISSING =
            Pattern.compile("missing requirement \\[(\\S+) \\[[^]]*]\\([^)]*\\)] ([\\w.]+); (\\(\\S*\\))");

    static BundleFailure of(String bundle, BundleException failure) {
        Throwable cause = failure.getCause();
        if (failure.getType() == BundleException.ACTIVATOR_ERROR && cause != null) {
            return new BundleFailure(bundle, "activator of " + bundle + " threw " + cause);
        }
        String reason = String.valueOf(failure.getMessage());
        Matcher matcher = MISSING.matcher(reason);
        while (matcher.find()) {
            reason = matcher.group(1) + " lacks " + matcher.group(2) + " " + matcher.group(3);
        }
        return new BundleFailure(bundle, reason);
    }
}

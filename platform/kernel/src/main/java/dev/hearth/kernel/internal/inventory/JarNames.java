package dev.hearth.kernel.internal.inventory;

/** Names of jars in bundles/ and deploy/: the name of a bundle, a hyphen, a version. Stateless. */
public final class JarNames {
    private static final String SUFFIX = ".jar";

    private JarNames() {}

    /** Whether the file name {@code jar} is {@code bundle}, with or without a version. */
    public static boolean matches(String jar, String bundle) {
        int version = bundle.length() + 1;
        return jar.equals(bundle + SUFFIX)
                || (jar.startsWith(bundle + "-") && jar.length() > version && Character.isDigit(jar.charAt(version)));
    }

    /** The name of the bundle in the file name {@code jar}, without its version. */
    public static String bundle(String jar) {
        for (int at = jar.indexOf('-'); at >= 0; at = jar.indexOf('-', at + 1)) {
            if (at + 1 < jar.length() && Character.isDigit(jar.charAt(at + 1))) {
                return jar.substring(0, at);
            }
        }
        return jar.endsWith(SUFFIX) ? jar.substring(0, jar.length() - SUFFIX.length()) : jar;
    }
}

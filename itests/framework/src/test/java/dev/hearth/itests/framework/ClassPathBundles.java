package dev.hearth.itests.framework;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.options;
import static org.ops4j.pax.exam.CoreOptions.systemPackages;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ops4j.pax.exam.Option;

/** Pax Exam options that install bundles from the tests' class path, so that nothing is downloaded or stale. */
final class ClassPathBundles {
    private static final String[] PLATFORM = {
        "org.osgi.util.function",
        "org.osgi.util.promise",
        "org.osgi.service.component",
        "org.apache.felix.scr",
        "netty-common",
        "netty-buffer",
        "netty-resolver",
        "netty-transport",
        "netty-transport-native-unix-common",
        "netty-codec-base",
        "netty-codec-compression",
        "netty-handler",
        "netty-codec-http",
        "hearth-api",
        "hearth-spi",
        "hearth-rpc"
    };

    private ClassPathBundles() {}

    /**
     * The bundles for services, messages, api, spi and rpc, the bundles {@code more}, and those that the tests need.
     */
    static Option[] platformWith(String... more) {
        String logging = ";version=" + System.getProperty("slf4j.version");
        return options(
                systemPackages( // as in a kernel, where logging is on the class path
                        "org.slf4j" + logging,
                        "org.slf4j.event" + logging,
                        "org.slf4j.helpers" + logging,
                        "org.slf4j.spi" + logging,
                        "org.slf4j;version=1.7.36"), // Pax Exam imports the previous major version, which slf4j
                // provides
                named(PLATFORM),
                named(more),
                named("junit-jupiter-api", "junit-platform-commons", "opentest4j")); // tests run inside the framework
    }

    /** The bundles with these artifact names, referenced in place. */
    private static Option named(String... names) {
        List<Option> bundles = new ArrayList<>();
        for (String name : names) {
            bundles.add(bundle("reference:" + find(name).toUri()));
        }
        return composite(bundles.toArray(new Option[0]));
    }

    private static Path find(String name) {
        String classPath = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String element : classPath.split(File.pathSeparator, -1)) {
            Path file = Path.of(element);
            String fileName = file.getFileName().toString();
            if (Files.isRegularFile(file) && fileName.matches("\\Q" + name + "\\E-\\d.*\\.jar")) {
                return file;
            }
        }
        throw new IllegalStateException("class path: no bundle " + name + " in " + classPath);
    }
}

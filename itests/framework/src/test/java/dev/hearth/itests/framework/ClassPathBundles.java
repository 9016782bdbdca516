package dev.hearth.itests.framework;

import static org.ops4j.pax.exam.CoreOptions.bundle;
import static org.ops4j.pax.exam.CoreOptions.composite;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.ops4j.pax.exam.Option;

/** Bundles under test, taken from the class path of the tests: nothing is fetched, and nothing can be out of date. */
final class ClassPathBundles {
    private ClassPathBundles() {}

    /** The bundles with these artifact names, read where they lie. */
    static Option named(String... names) {
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

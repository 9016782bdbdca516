package dev.hearth.testkit;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Creates the Maven command line that repeats one test with one seed. Finds the test on the call stack, and the Maven
 * module by the build directories. Stateless.
 */
final class ReplayCommand {
    private static final String BUILD_FILE = "pom.xml";
    private static final String BUILD_ROOT = ".mvn";

    private ReplayCommand() {}

    /** The line that repeats the test which {@code thread} runs. */
    static String line(String property, long seed, Thread thread) {
        String assignment = "-D" + property + "=" + seed;
        return test(thread)
                .map(test -> "mvn -Dquick test" + module() + " -Dtest='" + test + "' " + assignment)
                .orElse(assignment);
    }

    /** The outermost test method on the call stack of {@code thread}, as {@code Class#method} for Maven; empty if there is none. */
    private static Optional<String> test(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .filter(ReplayCommand::isTest)
                .reduce((inner, outer) -> outer)
                .map(frame -> simpleName(frame) + "#" + frame.getMethodName());
    }

    private static boolean isTest(StackTraceElement frame) {
        String outermost = simpleName(frame);
        return !frame.getMethodName().contains("$") && (outermost.endsWith("Test") || outermost.endsWith("IT"));
    }

    private static String simpleName(StackTraceElement frame) {
        String name = frame.getClassName();
        int nested = name.indexOf('$');
        String outermost = nested < 0 ? name : name.substring(0, nested);
        return outermost.substring(outermost.lastIndexOf('.') + 1);
    }

    /**
     * Maven options that select the module of the test; empty in the root of the repository and outside the repository.
     */
    private static String module() {
        Path module = Path.of(System.getProperty("user.dir"));
        if (!Files.exists(module.resolve(BUILD_FILE))) {
            return "";
        }
        Path root = module;
        for (Path above = module; above != null; above = above.getParent()) {
            root = Files.exists(above.resolve(BUILD_ROOT)) ? above : root;
        }
        return root.equals(module)
                ? ""
                : " -pl " + root.relativize(module) + " -am -Dsurefire.failIfNoSpecifiedTests=false";
    }
}

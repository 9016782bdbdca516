package dev.hearth.testkit;

import java.lang.StackWalker.StackFrame;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The line that runs one test again with one seed, told from the stack and the place of the build. Stateless. */
final class ReplayCommand {
    private static final String BUILD_FILE = "pom.xml";
    private static final String BUILD_ROOT = ".mvn";

    private ReplayCommand() {}

    static String line(String property, long seed) {
        String assignment = "-D" + property + "=" + seed;
        return test().map(test -> "mvn -Dquick test" + module() + " -Dtest='" + test + "' " + assignment)
                .orElse(assignment);
    }

    /** The outermost test on the stack, as the build takes it. */
    private static Optional<String> test() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(ReplayCommand::isTest).reduce((inner, outer) -> outer))
                .map(frame -> simpleName(frame) + "#" + frame.getMethodName());
    }

    private static boolean isTest(StackFrame frame) {
        String outermost = simpleName(frame);
        return !frame.getMethodName().contains("$") && (outermost.endsWith("Test") || outermost.endsWith("IT"));
    }

    private static String simpleName(StackFrame frame) {
        String name = frame.getClassName();
        int nested = name.indexOf('$');
        String outermost = nested < 0 ? name : name.substring(0, nested);
        return outermost.substring(outermost.lastIndexOf('.') + 1);
    }

    /** Which module of the build the test belongs to; empty outside of one. */
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

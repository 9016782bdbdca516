package dev.hearth.submission.api;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.error.ErrorCode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Main method of an application: {@code public static void main(String[])}. */
final class MainMethod {
    private final Method method;
    private final ClassLoader classes;

    private MainMethod(Method method, ClassLoader classes) {
        this.method = method;
        this.classes = classes;
    }

    /**
     * Finds the main method without running any code of the application. Fails with {@code CLASS_MISSING} if there is
     * none.
     */
    static MainMethod find(SubmissionPlan plan, ClassLoader classes) {
        String subject = "main class '" + plan.mainClass() + "': ";
        Method method;
        try {
            method = Class.forName(plan.mainClass(), false, classes).getMethod("main", String[].class);
        } catch (ClassNotFoundException missing) {
            throw ErrorCode.CLASS_MISSING.failure(
                    subject + "not found in " + jars(plan)
                            + " (expected: a class of the jar or of --jars); check --class",
                    missing);
        } catch (LinkageError broken) {
            throw ErrorCode.CLASS_MISSING.failure(
                    subject + broken + " (expected: a class whose supertypes and signatures can be loaded);"
                            + " add what is missing with --jars",
                    broken);
        } catch (NoSuchMethodException missing) {
            throw noMain(subject, plan, missing);
        }
        if (!Modifier.isStatic(method.getModifiers()) || method.getReturnType() != void.class) {
            throw noMain(subject, plan, new NoSuchMethodException(method.toString()));
        }
        method.setAccessible(true); // makes the method callable even if its class is not public
        return new MainMethod(method, classes);
    }

    /**
     * Runs the application to its end. Returns the exception that the main method threw; empty if it returned normally.
     */
    Optional<Throwable> call(List<String> arguments) {
        try {
            method.invoke(null, (Object) arguments.toArray(new String[0]));
            return Optional.empty();
        } catch (InvocationTargetException thrown) {
            return Optional.of(thrown.getTargetException());
        } catch (ExceptionInInitializerError thrown) {
            return Optional.of(thrown.getCause() == null ? thrown : thrown.getCause());
        } catch (IllegalAccessException | LinkageError thrown) {
            return Optional.of(thrown);
        }
    }

    /**
     * Converts an exception of the application to a failure. The message of the failure contains the first line of the
     * exception and the application's first stack frame.
     */
    HearthException explain(Throwable thrown) {
        if (thrown instanceof HearthException known) {
            return known.getCause() == null ? known : withFrame(known, known.getCause());
        }
        String first = thrown.toString().lines().findFirst().orElse("");
        String position = firstOwnFrame(thrown).map(frame -> ", at " + frame).orElse("");
        return ErrorCode.APPLICATION_FAILED.failure("application threw " + first + position, thrown);
    }

    /**
     * Returns {@code known}, a failure reported by Hearth, with a place in the application's code added to its message:
     * the application's first stack frame in {@code cause}. Returns it unchanged if {@code cause} has no such frame.
     */
    private HearthException withFrame(HearthException known, Throwable cause) {
        return firstOwnFrame(cause)
                .map(frame -> new HearthException(known.code(), known.getMessage() + ", at " + frame, known))
                .orElse(known);
    }

    private Optional<String> firstOwnFrame(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (isOwn(frame.getClassName())) {
                return Optional.of(frame.getClassName() + "." + frame.getMethodName() + "(" + position(frame) + ")");
            }
        }
        return Optional.empty();
    }

    private static String position(StackTraceElement frame) {
        return frame.getFileName() == null ? "Unknown Source" : frame.getFileName() + ":" + frame.getLineNumber();
    }

    private boolean isOwn(String className) {
        try {
            return Class.forName(className, false, classes).getClassLoader() == classes;
        } catch (ClassNotFoundException | LinkageError hidden) {
            return false; // the class is generated, or does not belong to the application
        }
    }

    /** The application jar, or, without one, the jars among which the main class was sought. */
    private static String jars(SubmissionPlan plan) {
        List<SubmissionResource> jars =
                plan.applicationJar().map(List::of).orElseGet(() -> plan.resources(SubmissionResource.Kind.JAR));
        return jars.isEmpty()
                ? "the class path"
                : jars.stream()
                        .map(jar -> jar.isPath() ? jar.path().toString() : jar.toString())
                        .collect(Collectors.joining(", "));
    }

    private static HearthException noMain(String subject, SubmissionPlan plan, Exception cause) {
        return ErrorCode.CLASS_MISSING.failure(
                subject + "no main method in " + jars(plan)
                        + " (expected: public static void main(String[])); check --class",
                cause);
    }
}

package dev.hearth.kernel.probe;

import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.role.RoleLaunch;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the main class of a jar as an application, on a thread of its own, and checks whether its class loader is
 * collected.
 */
final class ProbeApplication {
    /** Maximum number of forced collections; one suffices without references to the loader, two for a chain of them. */
    private static final int COLLECTIONS_MAX = 20;

    private static final long COLLECTION_WAIT_MILLIS = 100;

    private final ApplicationLoaders loaders;
    private final RoleLaunch launch;

    ProbeApplication(ApplicationLoaders loaders, RoleLaunch launch) {
        this.loaders = loaders;
        this.launch = launch;
    }

    /** Runs {@code mainClass}, then prints whether its loader was collected. */
    void run(Path jar, String mainClass, List<String> arguments) throws Exception {
        ReferenceQueue<ClassLoader> queue = new ReferenceQueue<>();
        PhantomReference<ClassLoader> reference = once(jar, mainClass, arguments, queue);
        boolean collected = false;
        for (int i = 0; i < COLLECTIONS_MAX && !collected; i++) {
            System.gc();
            collected = queue.remove(COLLECTION_WAIT_MILLIS) == reference;
        }
        launch.out().println("loader collected " + collected);
    }

    /** Returns whether a class is the application's own or imported from a bundle. */
    void lent(Path jar, String className) throws Exception {
        try (ApplicationLoader loader = loaders.open("borrower", List.of(jar))) {
            ClassLoader owner = loader.classes().loadClass(className).getClassLoader();
            String resource = className.replace('.', '/') + ".class";
            launch.out().println(owner == loader.classes() ? "own" : "lent");
            launch.out().println(loader.classes().getResource(resource).getProtocol());
        }
    }

    private PhantomReference<ClassLoader> once(
            Path jar, String mainClass, List<String> arguments, ReferenceQueue<ClassLoader> queue) throws Exception {
        try (ApplicationLoader loader = loaders.open("untidy", List.of(jar))) {
            Method main = Class.forName(mainClass, false, loader.classes()).getMethod("main", String[].class);
            Thread thread = new Thread(() -> call(main, arguments), "main of application");
            thread.setContextClassLoader(loader.classes());
            thread.start();
            thread.join();
            return new PhantomReference<>(loader.classes(), queue);
        }
    }

    private void call(Method main, List<String> arguments) {
        try {
            main.invoke(null, (Object) arguments.toArray(new String[0]));
            launch.out().println("application ended");
        } catch (ReflectiveOperationException failure) {
            launch.out().println("application failed: " + failure.getCause());
        }
    }
}

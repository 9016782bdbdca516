package dev.hearth.spi.application;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Starts applications in a driver process and provides their contexts. Implemented by the module engine. */
@ProviderType
public interface DriverEngine {
    /**
     * Starts an application with {@code settings} and the classes of {@code code}. Its main method can then open
     * contexts.
     */
    Application begin(Settings settings, ApplicationLoader code);

    /** Handle of a running application, for its launcher: gives access to its contexts, and ends it. */
    interface Application extends AutoCloseable {
        ContextProvider contexts();

        /** The contexts that are open now, oldest first. */
        List<HearthContext> open();

        /**
         * Places the files and archives that the application's settings name in {@code directory}, under their names and
         * the archives unpacked. For drivers that run on a cluster, before their main method. Fails with {@code
         * PATH_EXISTS} if a name is taken.
         */
        void placeFiles(Path directory);

        /**
         * Ends the application and closes its contexts that are still open. Each of them reports to the cluster whether
         * the application has {@code succeeded}.
         */
        void end(boolean succeeded);

        /**
         * Announces that the process is ordered to end, before the application is interrupted. Contexts that the
         * application or {@link #end} closes from now on report {@link ApplicationResult#KILLED}.
         */
        default void killed() {
            // an engine that does not distinguish the results reports those of its contexts
        }

        /** Ends the application as failed, unless {@link #end} was called before. */
        @Override
        void close();
    }
}

package dev.hearth.spi.application;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Runs the driver side of applications. Implemented by the engine. */
@ProviderType
public interface DriverEngine {
    /** Starts an application, which can then open contexts. */
    Application begin(Settings settings, ApplicationLoader code);

    /** Contexts of one running application. */
    interface Application extends AutoCloseable {
        ContextProvider contexts();

        /** The contexts that are open now, oldest first. */
        List<HearthContext> open();

        /** Closes contexts that are still open, reporting them as succeeded or failed. */
        void end(boolean succeeded);

        /** Ends the application as failed, unless {@link #end} was called before. */
        @Override
        void close();
    }
}

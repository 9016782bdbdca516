package dev.hearth.spi.application;

import dev.hearth.api.HearthContext;
import dev.hearth.api.launch.ContextProvider;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import org.osgi.annotation.versioning.ProviderType;

/** Runs the driver's side of applications; implemented by the engine. */
@ProviderType
public interface DriverEngine {
    /** Begins to serve an application with contexts. */
    Application begin(Settings settings, ApplicationLoader code);

    /** The contexts of one application. */
    interface Application extends AutoCloseable {
        ContextProvider contexts();

        /** The contexts that are open now, oldest first. */
        List<HearthContext> open();

        /** Tells contexts that are still open how the application ended, and closes them. */
        void end(boolean succeeded);

        /** Ends the application as failed, unless it was ended before. */
        @Override
        void close();
    }
}

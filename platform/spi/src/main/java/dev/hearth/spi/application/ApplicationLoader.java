package dev.hearth.spi.application;

import java.nio.file.Path;
import java.util.List;

/** The code of one application in one process, from the start of the application to its end. */
public interface ApplicationLoader extends AutoCloseable {
    ClassLoader classes();

    List<Path> jars();

    /** Closes the jars; the application's code can load no further classes. */
    @Override
    void close();
}

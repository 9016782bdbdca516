package dev.hearth.launcherlink.internal;

import java.io.IOException;

/** Messages to and from the launching program, in one of two forms. One thread writes at a time; another one reads. */
interface LauncherWire {
    /** Proves that this process is the one that was started. */
    void hello(String secret, String version) throws IOException;

    void application(String id) throws IOException;

    void submission(String id) throws IOException;

    void state(LaunchedState state) throws IOException;

    /** Reports a page about the application, or a log of its driver. */
    void link(String name, String address) throws IOException;

    /** Reports the cause of a failure; empty texts if there was none. */
    void end(String code, String message) throws IOException;

    /** Blocks until the program asks for the end of the application (true) or the connection ends (false). */
    boolean awaitStop() throws IOException;
}

package dev.hearth.hadoop.internal;

import java.net.URI;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files under the scheme {@code lab}, as a file system that an application brings. */
public final class LabFileSystem extends RawLocalFileSystem {
    @Override
    public URI getUri() {
        return URI.create("lab:///");
    }

    @Override
    public String getScheme() {
        return "lab";
    }
}

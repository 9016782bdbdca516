package dev.hearth.spi.process;

/** One of the two outputs of a process, and the name of the file that receives it. */
public enum OutputName {
    STDOUT("stdout"),
    STDERR("stderr");

    private final String file;

    OutputName(String file) {
        this.file = file;
    }

    /** Name of the current file of the output; older files have this name and a number. */
    public String file() {
        return file;
    }
}

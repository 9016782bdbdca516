package dev.hearth.launcherlink.internal;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;

/**
 * The protocol of Spark's launcher: serialised Java objects of five small classes. This class writes their bytes itself,
 * and recognises the one request that can come by its class name; it creates no object from what it reads.
 * <p>The versions of the classes are those of spark-launcher 3.5 to 4.2, in which they are equal.
 */
final class SparkWire implements LauncherWire {
    private static final String PROTOCOL = "org.apache.spark.launcher.LauncherProtocol$";
    private static final String STATE = "org.apache.spark.launcher.SparkAppHandle$State";
    private static final String STRING_TYPE = "Ljava/lang/String;";
    private static final String STATE_TYPE = "Lorg/apache/spark/launcher/SparkAppHandle$State;";
    private static final long MESSAGE_VERSION = -5003164482046097355L;
    private static final long HELLO_VERSION = 9176922929317261517L;
    private static final long APPLICATION_VERSION = 1695274999092510280L;
    private static final long STATE_VERSION = -1192011395149543032L;
    private static final int ENUM = ObjectStreamConstants.SC_ENUM | ObjectStreamConstants.SC_SERIALIZABLE;

    private final DataInputStream in;
    private final DataOutputStream out;

    SparkWire(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = new DataOutputStream(out);
    }

    @Override
    public void hello(String secret, String version) throws IOException {
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        begin("Hello", HELLO_VERSION, 2);
        field("secret", STRING_TYPE);
        field("sparkVersion", STRING_TYPE);
        endOfFields();
        string(secret);
        string(version);
        out.flush();
    }

    @Override
    public void application(String id) throws IOException {
        begin("SetAppId", APPLICATION_VERSION, 1);
        field("appId", STRING_TYPE);
        endOfFields();
        string(id);
        out.flush();
    }

    /** Sends the id of a submission as that of the application, because the protocol has no other id. */
    @Override
    public void submission(String id) throws IOException {
        application(id);
    }

    @Override
    public void state(LaunchedState state) throws IOException {
        begin("SetState", STATE_VERSION, 1);
        field("state", STATE_TYPE);
        endOfFields();
        out.writeByte(ObjectStreamConstants.TC_ENUM);
        type(STATE, 0, ENUM, 0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        type(Enum.class.getName(), 0, ENUM, 0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        string(state.name());
        out.flush();
    }

    @Override
    public void link(String name, String address) {
        // the protocol has no such message
    }

    @Override
    public void end(String code, String message) {
        // the protocol has no such message; the program reads the error from the output of this process
    }

    @Override
    public boolean awaitStop() throws IOException {
        try {
            return in.readShort() == ObjectStreamConstants.STREAM_MAGIC
                    && in.readShort() == ObjectStreamConstants.STREAM_VERSION
                    && in.readByte() == ObjectStreamConstants.TC_OBJECT
                    && in.readByte() == ObjectStreamConstants.TC_CLASSDESC
                    && in.readUTF().equals(PROTOCOL + "Stop");
        } catch (EOFException ended) {
            return false;
        }
    }

    /** Begins a message: its class with the number of its fields, which follow. */
    private void begin(String name, long version, int fields) throws IOException {
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        type(PROTOCOL + name, version, ObjectStreamConstants.SC_SERIALIZABLE, fields);
    }

    private void type(String name, long version, int flags, int fields) throws IOException {
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF(name);
        out.writeLong(version);
        out.writeByte(flags);
        out.writeShort(fields);
    }

    private void field(String name, String type) throws IOException {
        out.writeByte('L');
        out.writeUTF(name);
        string(type);
    }

    /** Ends the class of a message with its super class; the values follow. */
    private void endOfFields() throws IOException {
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        type(PROTOCOL + "Message", MESSAGE_VERSION, ObjectStreamConstants.SC_SERIALIZABLE, 0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
    }

    private void string(String text) throws IOException {
        out.writeByte(ObjectStreamConstants.TC_STRING);
        out.writeUTF(text);
    }
}
